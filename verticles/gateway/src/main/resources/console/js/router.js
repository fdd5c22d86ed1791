/** The pages' URLs: `#/vm/namespace/name?at=...`. */

const ROUTES = [
  [/^\/?$/, 'overview', []],
  [/^\/vm\/([^/]+)\/([^/]+)$/, 'vm', ['namespace', 'name']],
  [/^\/node\/([^/]+)$/, 'node', ['name']],
  [/^\/pods$/, 'pods', []],
  [/^\/pod\/([^/]+)\/([^/]+)$/, 'pod', ['namespace', 'name']],
  [/^\/gangs$/, 'gangs', []],
  [/^\/workers$/, 'workers', []],
  [/^\/tap$/, 'tap', []],
  [/^\/cluster$/, 'cluster', []],
  [/^\/config$/, 'config', []],
];

/**
 * @returns {{page: string, params: Object<string, string>, query: URLSearchParams}}
 * with the page `missing` if no page has this URL
 */
export function parse(hash) {
  const [path, query = ''] = hash.replace(/^#/, '').split('?', 2);
  for (const [pattern, page, names] of ROUTES) {
    const match = pattern.exec(path);
    if (match) {
      const params = Object.fromEntries(names.map((name, index) => [name, decode(match[index + 1])]));
      return { page, params, query: new URLSearchParams(query) };
    }
  }
  return { page: 'missing', params: { path }, query: new URLSearchParams() };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function vmHref(key) {
  return '#/vm/' + key.split('/').map(encodeURIComponent).join('/');
}

export function podHref(key) {
  return '#/pod/' + key.split('/').map(encodeURIComponent).join('/');
}

export function nodeHref(name) {
  return '#/node/' + encodeURIComponent(name);
}

export function go(href) {
  location.hash = href;
}

/** Writes settings of the present page into its URL without a step in the history; empty ones are left out. */
export function settle(settings) {
  const { query } = parse(location.hash);
  for (const [name, value] of Object.entries(settings)) {
    if (value) {
      query.set(name, value);
    } else {
      query.delete(name);
    }
  }
  const path = location.hash.split('?')[0] || '#/';
  const text = query.toString();
  history.replaceState(null, '', text ? `${path}?${text}` : path);
}
