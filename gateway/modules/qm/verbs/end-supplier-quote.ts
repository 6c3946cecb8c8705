export { endSupplierQuote as verb } from '../supplierQuote'
