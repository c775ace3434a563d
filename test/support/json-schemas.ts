import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

const escaped = (part: string | number): string =>
  encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));

/** The schemas of an OpenAPI document, each compiled when it is first asked for. */
export const openSchemas = (document: object, options: Options = {}) => {
  // Most validators run once or twice: to optimise their code takes longer than they do.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, validateFormats: true, code, ...options });
  formats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  return {
    ajv,
    /** The validator of the schema to which a path of keys leads. */
    at(...parts: readonly (string | number)[]): ValidateFunction {
      const pointer = `document#/${parts.map(escaped).join('/')}`;
      const validate = compiled.get(pointer) ?? ajv.getSchema(pointer);
      if (!validate) throw new Error(`there is no schema at ${pointer}`);
      compiled.set(pointer, validate);
      return validate;
    },
  };
};
