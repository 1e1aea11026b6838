export { addressKey } from '../../platform/http/address-key.ts';

export const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
