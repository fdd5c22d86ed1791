/** Jobs that have more members where there is room, and fewer where others need it. */
package io.sluice.placement.elastic;
