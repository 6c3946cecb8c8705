import { CountrySelect } from './CountrySelect'
import type { ControlProps } from './control'

const Country = (props: ControlProps) => <CountrySelect {...props} multiple={false} />

export default Country
