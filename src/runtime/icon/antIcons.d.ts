/** One icon a module, as antd ships them; only the sum of all has types of its own. */
declare module '@ant-design/icons/es/icons/*' {
  import type { ComponentType } from 'react'
  const Icon: ComponentType<{ 'aria-hidden'?: boolean }>
  export default Icon
}
