/** Connections to hosts that people typed: none of them leads into the company's own networks, unless an operator allows it. */
export { isPrivateAddress, PrivateAddressError, publicAddressOf, publicLookup, refusePrivateHost } from './address'
export { fetchPicture, PICTURE_AGENT, PictureError } from './picture'
