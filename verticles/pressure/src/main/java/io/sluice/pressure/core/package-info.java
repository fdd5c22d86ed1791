/** Who leaves a full node, and how it is seen through. Pure: it is told the time and answers with actions. */
package io.sluice.pressure.core;
