export { ICONS } from '../../runtime/icon/iconSet'
