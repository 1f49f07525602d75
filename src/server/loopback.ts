import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress } from '../../contract-tests/values/url.ts';

export class ElsewhereError extends Error {}

/** Looks up a name for a connection, and refuses it where the name has another address than one of this machine. */
export const lookupLoopback: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '');
    const elsewhere = found.find(({ address }) => !isLoopbackAddress(address));
    const [first] = found;
    if (elsewhere || !first) {
      const message = `${hostname} has the address ${elsewhere?.address}, which is not of this machine; writes elsewhere need --allow-writes`;
      return callback(new ElsewhereError(message), '');
    }
    return options.all ? callback(null, found) : callback(null, first.address, first.family);
  });
};
