import type { LayoutWords } from '../../en/console/layout.ts';

export const layout: LayoutWords = {
  skip: 'Ir al contenido',
  navigation: 'Páginas',
  language: 'Idioma',
  theme: 'Tema',
  themes: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  apiKey: 'Clave de API',
  keyHint:
    'Se guarda para esta sesión: las pestañas abiertas la comparten y el navegador la olvida al cerrar la última.',
  about: 'Evalúe e investigue direcciones de cadenas de bloques.',
  reference: 'API',
  notFound: 'Esa página no existe.',
  pages: {
    scan: 'Analizar',
    investigate: 'Investigar',
    query: 'Consultas',
    cases: 'Casos',
    monitoring: 'Vigilancia',
    scamdb: 'Base de estafas',
    sources: 'Fuentes',
    account: 'Cuenta',
  },
};
