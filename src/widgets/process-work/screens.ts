/** Where the screens of approvals are loaded from: apart, so that the portal does not know of every file that one of them needs. */
export const start = () => import('./start/Start')
export const apply = () => import('./apply/Apply')
export const task = () => import('./task/Task')
