/** Who and what is let in: path, method, key, body. Answers with the error body the service would give. */
import type { Exchange } from './journal.ts';
import { modelOrStandIn } from './models.ts';
import { renderPrompt } from './prompt.ts';
import { refuse, type Refusal } from './script.ts';
import { countTokens } from './tokens.ts';
import type { Memory } from './validate/memory.ts';
import { validate, type Mode } from './validate/validate.ts';
import { violationOf, type Violation } from './validate/violation.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

export interface DoorSettings {
  readonly mode: Mode;
  readonly auth: 'required' | 'optional';
  readonly key: string;
}

/** The error that keeps a request from being answered, if there is one. Notes a broken rule in the exchange. */
export function objectionTo(exchange: Exchange, settings: DoorSettings, memory: Memory): Refusal | undefined {
  return checkPath(exchange) ?? checkKey(exchange, settings) ?? checkBody(exchange, settings.mode, memory);
}

function checkPath({ path, method }: Exchange): Refusal | undefined {
  if (path.split('?')[0] !== '/v1/responses') {
    const message = `There is no path ${path}`;
    return refuse(404, { message, type: 'resource_not_found_error', code: 'not_found' });
  }
  if (method === 'POST') return undefined;
  const message = `${method} is not supported`;
  const error = { message, type: 'invalid_request_error', code: 'method_not_allowed' };
  return refuse(405, error, { allow: 'POST' });
}

function checkKey({ headers }: Exchange, { auth, key }: DoorSettings): Refusal | undefined {
  const header = headers.authorization;
  if (header === undefined) {
    return auth === 'optional' ? undefined : unauthenticated('Authorization: header is missing');
  }
  const given = /^Bearer (\S+)$/.exec(header)?.[1];
  if (given === undefined) return unauthenticated('Authorization: must be "Bearer <key>"');
  if (auth === 'optional' || given === key) return undefined;
  const message = 'Incorrect API key provided';
  return refuse(401, { message, type: 'incorrect_api_key_error', code: 'incorrect_api_key' });
}

function checkBody(exchange: Exchange, mode: Mode, memory: Memory): Refusal | undefined {
  if (!/^application\/json\b/i.test(exchange.headers['content-type'] ?? '')) {
    return invalid('Content-Type: must be application/json');
  }
  let body: unknown;
  try {
    body = JSON.parse(exchange.bodyText);
  } catch {
    return invalid('The body is not valid JSON');
  }
  if (!isJsonObject(body)) return invalid('The body must be a JSON object');
  const violation = validate(body, mode, memory) ?? tooLong(body);
  if (violation === undefined) return undefined;
  exchange.violation = violation;
  const { status, message, type, code } = violation;
  return refuse(status, { message, type, code });
}

function tooLong(body: JsonObject): Violation | undefined {
  const { contextWindow } = modelOrStandIn(String(body['model']));
  const tokens = countTokens(renderPrompt(body));
  if (tokens < contextWindow) return undefined;
  return violationOf('fitsContext', {
    param: 'input',
    says: `${tokens} tokens leave no room in the context window of ${contextWindow}`,
    code: 'context_length_exceeded',
  });
}

function unauthenticated(message: string): Refusal {
  return refuse(401, { message, type: 'invalid_authentication_error', code: 'invalid_authentication' });
}

function invalid(message: string): Refusal {
  return refuse(400, { message, type: 'invalid_request_error', code: 'invalid_request' });
}
