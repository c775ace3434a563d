{{- define "waybill.labels" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "waybill.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* The container of a role; takes a dict of root, role and values. */}}
{{- define "waybill.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
# Longer than the delay, the drain of requests (30 s) and the rest of the stop.
terminationGracePeriodSeconds: 75
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "waybill.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
{{- with .values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
{{- if and (eq .role "api") (gt (int .values.waitForWorkersSeconds) 0) (gt (int .root.Values.worker.replicas) 0) }}
initContainers:
  # The name has an address for each worker of this version that is ready.
  - name: workers-first
    image: {{ include "waybill.image" .root | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    command:
      - bash
      - -c
      - |
        until [ "$(getent ahosts {{ .root.Release.Name }}-workers | sort -u -k 1,1 | wc -l)" -ge {{ .root.Values.worker.replicas }} ]; do
          [ "$SECONDS" -lt {{ .values.waitForWorkersSeconds }} ] || { echo "not all workers of this version are ready: starting"; break; }
          sleep 2
        done
    resources: { requests: { cpu: 10m, memory: 16Mi }, limits: { memory: 64Mi } }
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
{{- end }}
containers:
  - name: waybill
    image: {{ include "waybill.image" .root | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    envFrom:
      - secretRef:
          name: {{ required "existingSecret: name a Secret with the settings that values.yaml lists" .root.Values.existingSecret }}
    env:
      - { name: WAYBILL_ROLE, value: {{ .role }} }
      - { name: HOST, value: "0.0.0.0" }
      - { name: PORT, value: "8080" }
      - { name: WAYBILL_OPS_PORT, value: "9090" }
      - { name: WAYBILL_TRUST_PROXY, value: {{ .root.Values.trustProxyHops | quote }} }
      - { name: NODE_COMPILE_CACHE, value: /tmp/waybill }
      - { name: TMPDIR, value: /data }
      {{- range $name, $value := .root.Values.env }}
      - { name: {{ $name }}, value: {{ $value | quote }} }
      {{- end }}
    ports:
      - { name: http, containerPort: 8080 }
      - { name: ops, containerPort: 9090 }
    # The process answers; a store that is down is no reason to restart it.
    livenessProbe:
      httpGet: { path: /health/live, port: ops }
      periodSeconds: 10
      failureThreshold: 3
    readinessProbe:
      httpGet: { path: /health/ready, port: ops }
      periodSeconds: 3
      timeoutSeconds: 3
      failureThreshold: 2
    startupProbe:
      httpGet: { path: /health/live, port: ops }
      periodSeconds: 2
      failureThreshold: 60
    {{- if eq .role "api" }}
    lifecycle:
      preStop:
        exec:
          command: ["sleep", "{{ .values.endDelaySeconds }}"]
    {{- end }}
    resources: {{ toYaml .values.resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: data, mountPath: /data }
      {{- with .root.Values.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
  # Temporary files alone: the log and the read models are on the servers.
  - name: data
    emptyDir: { sizeLimit: 1Gi }
  {{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
