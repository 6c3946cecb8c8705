/** Where the screens of writing mail are loaded from: apart, so that the portal does not know of every file that one of them needs. */
export const compose = () => import('./compose/Compose')
export const bind = () => import('./bind/Bind')
export const notices = () => import('./settings/Notices')
export const tryRules = () => import('./rules/TryRules')
export const manual = () => import('./manual/Manual')
