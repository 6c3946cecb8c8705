export { acceptSupplierRates as verb } from '../supplierQuote'
