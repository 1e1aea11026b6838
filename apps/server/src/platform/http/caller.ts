import type { FastifyRequest } from 'fastify';
import type { Principal } from './principal.ts';

/** Who did it, in the words of the audit log. */
export function actorOf(principal: Principal): { type: 'user' | 'anonymous'; id: string | null; name: string } {
  if (principal.type === 'anonymous') return { type: 'anonymous', id: null, name: 'anonymous' };
  return { type: 'user', id: principal.account.id, name: principal.account.username };
}

/** From where and by which request, in the words of the audit log. */
export function originOf(request: FastifyRequest, principal: Principal): { requestId: string; address: string } {
  return { requestId: request.id, address: principal.address };
}
