import { CountrySelect } from './CountrySelect'
import type { ControlProps } from './control'

const Countries = (props: ControlProps) => <CountrySelect {...props} multiple />

export default Countries
