import { useSession } from '../view/session'
import { EntitySelect, referenceOf } from './EntitySelect'
import type { ControlProps } from './control'

/** Members of staff, also where no entity field says so (approval forms); `multiple` in the props takes several. */
const Staff = (props: ControlProps) => {
  const { locale } = useSession()
  const fallback = { entity: 'sys.staff', path: '/v2/sys/staff/user', label: locale === 'zh' ? '员工' : 'Staff', where: () => [] }
  return (
    <EntitySelect
      {...props}
      reference={referenceOf(props, fallback)}
      multiple={props.props.multiple === true || props.node.type === 'array' || props.field?.kind === 'refs'}
    />
  )
}

export default Staff
