import { CountrySelect } from './CountrySelect'
import type { ControlProps } from './registry'

const Country = (props: ControlProps) => <CountrySelect {...props} multiple={false} />

export default Country
