/** How many members jobs have that may have more or fewer. Pure. */
package io.sluice.placement.core.elastic;
