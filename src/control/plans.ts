import { memberOf } from '../../contract-tests/values/json.ts';
import { control as validators } from '../core/generated/control-validators.js';
import { type FindRoute, routeTable } from '../core/routes.ts';
import { operationsOf } from '../core/spec/document.ts';
import { answerOf, bodyOf, parametersOf } from '../core/validation/schemas.ts';
import { type ControlOperation, controlDocument } from './document.ts';

/** An operation of the control plane as it runs; the build reads the document before there are validators. */
export type ControlPlan = ReturnType<typeof plans>[number];

let find: FindRoute<ControlPlan> | undefined;

/** Finds an operation by method and path below /_mock. */
export const findControl: FindRoute<ControlPlan> = (method, path) => {
  find ??= routeTable(plans());
  return find(method, path);
};

const plans = () =>
  operationsOf(controlDocument()).map(({ path, method, operation }) => {
    const id: string = operation.operationId;
    return {
      id: id as ControlOperation,
      method: method.toUpperCase(),
      path,
      operation,
      success: Number(Object.keys(operation.responses).find((status) => status.startsWith('2'))),
      /** Validators of `{ query, params, headers }`, of `{ body }`, and of a JSON response. */
      parameters: memberOf(validators, parametersOf(id)),
      body: memberOf(validators, bodyOf(id)),
      answer: memberOf(validators, answerOf(id)),
    };
  });
