import { after, counter, without } from '../advice.ts';
import { hasCode, unauthorized } from '../errors.ts';
import { isKnown, provision } from '../services/provision.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

/** What the sign-in answer says. */
export const signInAnswerDefects: Defect[] = [
  defect('token-type-capitalised', 'plain', says.tokenType, 'token_type is "Bearer"', () => ({
    grant: after<'grant'>((grant) => ({ ...grant, token_type: 'Bearer' })),
  })),
  defect(
    'expires-in-milliseconds',
    'plain',
    says.expiresIn,
    'expires_in counts milliseconds; the token itself expires after as many seconds',
    () => ({ grant: after<'grant'>((grant) => ({ ...grant, expires_in: grant.expires_in * 1000 })) }),
  ),
  defect('user-missing-every-fifth', 'stateful', says.user, 'every fifth sign-in answers without the user', () => {
    const count = counter();
    return { grant: after<'grant'>((grant) => (count() % 5 === 0 ? without(grant, 'user') : grant)) };
  }),
  defect(
    'email-cut-for-capital-upn',
    'conditional',
    says.userEmail,
    'the e-mail address loses its domain when the user principal name is sent with capitals',
    () => ({
      grant: after<'grant'>((grant, { claims }) =>
        claims && claims.upn !== claims.upn.toLowerCase()
          ? { ...grant, user: { ...grant.user, email: grant.user.email.split('@')[0] } }
          : grant,
      ),
    }),
  ),
  defect(
    'provisioned-created-at',
    'conditional',
    says.userCreatedAt,
    'unknown identities are provisioned, and their created_at is a JavaScript date text',
    (world) => {
      const fresh = new Set<string>();
      return {
        async identify(input, next) {
          try {
            return await next(input);
          } catch (error) {
            if (!hasCode(error, 'unknown') || isKnown(world, input.claims)) throw error;
            const user = provision(world, input.claims);
            fresh.add(user.id);
            return user;
          }
        },
        showUser: after<'showUser'>((view, { user }) =>
          fresh.has(user.id) ? { ...view, created_at: String(new Date(user.createdAt)) } : view,
        ),
      };
    },
  ),
  defect(
    'sso-needs-authorization',
    'stateful',
    says.ssoWithoutHeader,
    'from the third single sign-on of a user on the call is refused unless it carries an Authorization header',
    () => {
      const count = counter();
      return {
        async identify(input, next) {
          const user = await next(input);
          if (count(user.id) > 2 && !input.c.req.header('authorization'))
            throw unauthorized('missing', 'Session already open');
          return user;
        },
      };
    },
  ),
];
