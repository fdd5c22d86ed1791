/** Random and hostile inputs for all code that reads bytes of other programs. */
package io.sluice.hostile;
