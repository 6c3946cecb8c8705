import { QuotaFigures } from './QuotaFigures'

/** Customers that count against the holding cap. */
const HoldingCap = () => (
  <QuotaFigures select={({ holding }, zh) => [{ id: 'holding', label: zh ? '客户保有量' : 'Customers held', ...holding }]} />
)
export default HoldingCap
