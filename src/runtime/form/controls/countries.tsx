import { CountrySelect } from './CountrySelect'
import type { ControlProps } from './registry'

const Countries = (props: ControlProps) => <CountrySelect {...props} multiple />

export default Countries
