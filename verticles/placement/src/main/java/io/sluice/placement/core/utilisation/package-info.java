/** Scores of nodes by what was measured on them, and by what their newest pods will use. Pure. */
package io.sluice.placement.core.utilisation;
