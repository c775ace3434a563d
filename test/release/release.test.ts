import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const { version, scripts } = JSON.parse(read('package.json'));

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  jobs: Record<string, { needs?: string; steps: Step[] }>;
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root });
const release = parse(read('.github/workflows/release.yml')) as Workflow;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);

describe('a release', () => {
  it('has one version, in all files that name it', () => {
    const lock = JSON.parse(read('package-lock.json'));
    expect([lock.version, lock.packages[''].version]).to.deep.equal([version, version]);
    expect(JSON.parse(read('openapi.json')).info.version).to.equal(version);
    const images = [...read('docker-compose.yml').matchAll(/image: waybill:(\S+)/g)];
    expect(images.map(([, tag]) => tag)).to.deep.equal([version]);
  });

  it('has a section in the changelog, which is what its page shows', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^## \[([^\]]+)\](.*)$/gm)];
    const [unreleased, newest] = headings;
    expect(unreleased?.[1]).to.equal('Unreleased');
    expect(newest?.[1]).to.equal(version);
    expect(newest?.[2]).to.match(/^ - \d{4}-\d\d-\d\d$/);
  });

  it('runs scripts that exist', () => {
    const runs = workflows.flatMap((file) => stepsOf(parse(read(file)) as Workflow));
    const named = runs.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:-]+)/g)]);
    expect(named).not.to.be.empty;
    for (const [, name] of named) expect(scripts).to.have.property(name!);
  });

  it('is tested and compared with the last one before anything leaves', () => {
    const { test, ...others } = release.jobs;
    expect(test?.steps.map(({ run }) => run)).to.include.members(['.ci/run', 'npm run compatible']);
    for (const [name, { needs }] of Object.entries(others)) expect(needs, name).to.equal('test');
  });

  it('carries the components and the provenance of the package and of the image', () => {
    const uses = stepsOf(release).map((step) => step.uses?.split('@')[0]);
    expect(uses).to.include.members(['actions/attest-build-provenance', 'actions/attest-sbom']);
    const image = stepsOf(release).find((step) =>
      step.uses?.startsWith('docker/build-push-action'),
    );
    expect(image?.with).to.include({ sbom: true, provenance: 'mode=max', push: true });
  });

  it('names no place but by the settings of the repository', () => {
    for (const file of workflows)
      expect(read(file)).not.to.match(/ghcr|docker\.io|npmjs|registry\./);
  });
});
