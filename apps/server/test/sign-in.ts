/** Signs in through the local identity provider; whoever is first is the administrator. Resolves with the session's token. */
export async function signIn(url: string, name: string): Promise<string> {
  const { token } = await post(`${url}/api/v1/auth/local/token`, { name, email: `${name}@example.org` });
  const { access_token } = await post(`${url}/api/v1/auth/google`, { token });
  if (!access_token) throw new Error(`${name} could not sign in at ${url}`);
  return access_token;
}

async function post(url: string, body: unknown): Promise<{ token?: string; access_token?: string }> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { token?: string; access_token?: string };
}
