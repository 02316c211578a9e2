import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ErrorNote, Loading } from './notes.tsx';

/** Makes a component whose code is loaded where it is first shown. */
export function loadedLate<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function Late(props) {
    const [loaded, setLoaded] = useState<{ Shown: ComponentType<Props> } | null>(null);
    const [error, setError] = useState<Error | null>(null);
    useEffect(() => {
      load().then((Shown) => setLoaded({ Shown }), setError);
    }, []);
    if (loaded) return <loaded.Shown {...props} />;
    return error ? <ErrorNote error={error} /> : <Loading />;
  };
}
