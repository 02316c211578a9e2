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
  keyHint: 'Se guarda solo para esta pestaña: el navegador la olvida al cerrarla.',
  about: 'Evalúe e investigue direcciones de doce cadenas de bloques.',
  reference: 'Referencia de la API',
  notFound: 'Esa página no existe.',
  pages: {
    scan: 'Analizar',
    investigate: 'Investigar',
    cases: 'Casos',
    monitoring: 'Vigilancia',
    scamdb: 'Base de estafas',
    sources: 'Fuentes y listas',
    account: 'Uso y claves',
  },
};
