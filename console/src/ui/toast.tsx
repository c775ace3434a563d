import { useEffect, useState } from 'react';
import { Words } from './value.tsx';

const SHOWN_MS = 5_000;
const TOASTS_MAX = 3;

interface Toast {
  id: number;
  text: string;
}

let next = 0;
let publish: (toast: Toast) => void = () => undefined;

/** Says shortly that something was done. Refusals are shown where they happened instead. */
export const toast = (text: string): void => {
  next += 1;
  publish({ id: next, text });
};

export const ToastRegion = () => {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => {
    publish = (added) => {
      setToasts((shown) => [...shown, added].slice(-TOASTS_MAX));
      setTimeout(() => setToasts((shown) => shown.filter(({ id }) => id !== added.id)), SHOWN_MS);
    };
    return () => {
      publish = () => undefined;
    };
  }, []);
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, text }) => (
        <div key={id} className="toast">
          <Words text={text} />
        </div>
      ))}
    </div>
  );
};
