/** Cookies of the portal, prefixed with the upper-case environment name (R177), e.g. PRE-PRODUCTION_token. */
export interface CookieJar {
  get(name: string): string | null
  /** Without days it ends with the browser. */
  set(name: string, value: string, days?: number): void
  remove(name: string): void
}

export function createCookieJar(environment: string, from: Document = document): CookieJar {
  const prefix = `${environment.toUpperCase()}_`
  const attributes = `; path=/; SameSite=Strict${from.location?.protocol === 'https:' ? '; Secure' : ''}`
  return {
    get(name) {
      const wanted = `${prefix}${name}=`
      const found = from.cookie.split('; ').find((item) => item.startsWith(wanted))
      if (found === undefined) return null
      try {
        return decodeURIComponent(found.slice(wanted.length))
      } catch {
        return null
      }
    },
    set(name, value, days) {
      const age = days === undefined ? '' : `; max-age=${Math.round(days * 86_400)}`
      from.cookie = `${prefix}${name}=${encodeURIComponent(value)}${age}${attributes}`
    },
    remove(name) {
      from.cookie = `${prefix}${name}=; max-age=0${attributes}`
    },
  }
}
