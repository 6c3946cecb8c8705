export { applySupplierQuote as verb } from '../supplierQuote'
