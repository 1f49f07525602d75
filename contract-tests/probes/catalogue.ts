import { accessTokenLifetime } from './access-token-lifetime.ts';
import { adminAccess } from './admin-access.ts';
import { analysisStructure } from './analysis-structure.ts';
import { emptyUpdate } from './empty-update.ts';
import { errorBody } from './error-body.ts';
import { errorCodes } from './error-codes.ts';
import { errorPrecedence } from './error-precedence.ts';
import { extraFields } from './extra-fields.ts';
import { forbiddenStatus } from './forbidden-status.ts';
import { foreignRecording } from './foreign-recording.ts';
import { foreignTenant } from './foreign-tenant.ts';
import { invalidCredentialsStatus } from './invalid-credentials-status.ts';
import { keyStatusValues } from './key-status-values.ts';
import { loginRequest } from './login-request.ts';
import { loginResponse } from './login-response.ts';
import { malformedJsonStatus } from './malformed-json-status.ts';
import { mediaTypeStatus } from './media-type-status.ts';
import { methodStatus } from './method-status.ts';
import { missingCredentialsStatus } from './missing-credentials-status.ts';
import { nullField } from './null-field.ts';
import { pagination } from './pagination.ts';
import { patCreateRequest } from './pat-create-request.ts';
import { patCreateResponse } from './pat-create-response.ts';
import { patPrefix } from './pat-prefix.ts';
import type { Probe } from './probe.ts';
import { providerValues } from './provider-values.ts';
import { rateLimit } from './rate-limit.ts';
import { refreshPath } from './refresh-path.ts';
import { refreshRequest } from './refresh-request.ts';
import { refreshResponse } from './refresh-response.ts';
import { refreshRotation } from './refresh-rotation.ts';
import { scopeValues } from './scope-values.ts';
import { scopesPath } from './scopes-path.ts';
import { scopesResponse } from './scopes-response.ts';
import { ssoRequiredClaims } from './sso-required-claims.ts';
import { ssoUnknownIdentity } from './sso-unknown-identity.ts';
import { successCodes } from './success-codes.ts';
import { timestampForm } from './timestamp-form.ts';
import { unknownField } from './unknown-field.ts';
import { unknownPathStatus } from './unknown-path-status.ts';
import { unknownProviderFilter } from './unknown-provider-filter.ts';
import { unknownQuery } from './unknown-query.ts';
import { unknownRecordingStatus } from './unknown-recording-status.ts';
import { unknownTenant } from './unknown-tenant.ts';
import { validationStatus } from './validation-status.ts';
import { wrongType } from './wrong-type.ts';

/** Every probe, in the ledger's order. */
export const allProbes: readonly Probe[] = [
  ssoRequiredClaims,
  ssoUnknownIdentity,
  loginRequest,
  loginResponse,
  refreshPath,
  refreshRequest,
  refreshResponse,
  refreshRotation,
  accessTokenLifetime,
  patCreateRequest,
  patCreateResponse,
  patPrefix,
  scopesPath,
  scopesResponse,
  scopeValues,
  emptyUpdate,
  unknownField,
  wrongType,
  nullField,
  analysisStructure,
  unknownRecordingStatus,
  foreignRecording,
  providerValues,
  keyStatusValues,
  unknownProviderFilter,
  adminAccess,
  unknownTenant,
  foreignTenant,
  pagination,
  errorBody,
  errorCodes,
  errorPrecedence,
  missingCredentialsStatus,
  invalidCredentialsStatus,
  forbiddenStatus,
  validationStatus,
  malformedJsonStatus,
  mediaTypeStatus,
  methodStatus,
  unknownPathStatus,
  unknownQuery,
  successCodes,
  timestampForm,
  extraFields,
  rateLimit,
];
