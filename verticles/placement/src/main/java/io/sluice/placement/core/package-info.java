/** The rules of placement, without I/O. */
package io.sluice.placement.core;
