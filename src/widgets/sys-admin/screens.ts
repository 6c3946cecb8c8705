/** Where the screens of the administration are loaded from: apart, so that the portal does not know of every file that one of them needs. */
export const rolePermissions = () => import('./roles/RolePermissions')
export const menuTree = () => import('./menus/MenuTree')
export const organizationTree = () => import('./organization/OrganizationTree')
export const staffAccount = () => import('./account/StaffAccount')
export const effectiveRights = () => import('./rights/EffectiveRights')
export const dictionaries = () => import('./dictionaries/Dictionaries')
export const accessRequests = () => import('./access/AccessRequests')
