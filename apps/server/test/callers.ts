export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  json: any;
}

export interface CallOptions {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** People and their requests, for a server on loopback that somebody else started. */
export interface Callers {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Through the local identity provider; the first one becomes administrator. Answers the session token. */
  signIn(email: string): Promise<string>;
  /** An account with a password, made by an administrator. Answers its id. */
  addAccount(admin: string, username: string, password: string): Promise<string>;
  /** Saves settings as an administrator, over whatever version there is. */
  save(admin: string, change: object): Promise<void>;
}

/** Requests below /api/v1 of the server at `url`. */
export function callersOf(url: string): Callers {
  async function call(method: string, path: string, { token, body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) };
  }
  /** Requests that prepare something: a refusal is a fault of the test. */
  async function must(method: string, path: string, options: CallOptions): Promise<Answer> {
    const answer = await call(method, path, options);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer;
  }
  return {
    call,
    async signIn(email) {
      const { token } = (await must('POST', '/auth/local/token', { body: { name: 'Somebody', email } })).json;
      return (await must('POST', '/auth/google', { body: { token } })).json.access_token;
    },
    async addAccount(token, username, password) {
      return (await must('POST', '/auth/admin/users', { token, body: { username, email: `${username}@example.org`, password } })).json.id;
    },
    async save(token, change) {
      const { headers } = await must('GET', '/auth/admin/settings', { token });
      await must('PUT', '/auth/admin/settings', { token, body: change, headers: { 'if-match': headers.get('etag') ?? '' } });
    },
  };
}
