/** How far something has come; without an end where it is not known. */
export const Progress = ({
  label,
  done,
  of,
}: {
  label: string;
  done?: number | undefined;
  of?: number | undefined;
}) => (
  <progress
    className="progress"
    aria-label={label}
    {...(done !== undefined && of !== undefined && { value: done, max: Math.max(of, 1) })}
  />
);
