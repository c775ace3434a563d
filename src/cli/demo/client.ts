import { request } from 'undici';

/** An answer of the service, as the demo reads it. */
export interface Answer<Body> {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Body;
}

export interface DemoClient {
  /** Calls the administration API; throws when it refuses. */
  admin<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body>;
  /** Calls the product with a key; throws when it refuses. */
  product<Body>(
    apiKey: string,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<Answer<Body>>;
}

export const createDemoClient = (baseUrl: string, adminToken: string): DemoClient => {
  const call = async <Body>(
    token: string,
    method: 'GET' | 'POST',
    path: string,
    body: object | undefined,
  ): Promise<Answer<Body>> => {
    const response = await request(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.body.json()) as Body;
    if (response.statusCode >= 300) {
      throw new Error(`${method} ${path}: ${response.statusCode} ${JSON.stringify(answer)}`);
    }
    return { status: response.statusCode, headers: response.headers, body: answer };
  };
  return {
    admin: async <Body>(method: 'GET' | 'POST', path: string, body?: object) =>
      (await call<Body>(adminToken, method, `/admin/v1${path}`, body)).body,
    product: (apiKey, method, path, body) => call(apiKey, method, `/v1${path}`, body),
  };
};
