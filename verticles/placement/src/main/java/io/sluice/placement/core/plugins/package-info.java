/** The rules that filter and score nodes. Each sees its arguments alone. */
package io.sluice.placement.core.plugins;
