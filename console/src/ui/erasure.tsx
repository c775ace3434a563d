import { CheckField, TextField } from './field.tsx';

/** What every erasure asks at its end, of a contact or of a person. */
export const ErasureFields = ({ whom }: { whom: string }) => (
  <>
    <TextField
      label="Reason"
      name="reason"
      hint={`It is kept: do not name the ${whom}.`}
      maxLength={500}
    />
    <CheckField label="I know that nobody can take this back" name="sure" required />
  </>
);
