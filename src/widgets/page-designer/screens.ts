/** Where the designers are loaded from: apart, so that the portal does not know of every file that one of them needs. */
export const pageDesigner = () => import('./PageDesigner')
export const processDesigner = () => import('./process/ProcessDesigner')
export const formDesigner = () => import('./process/form/FormDesigner')
export const roleEditor = () => import('./process/roles/RoleEditor')
export const noticeEditor = () => import('./process/notice/NoticeEditor')
