/** Who leaves a node that runs full, and why. */
package io.sluice.messages.pressure;
