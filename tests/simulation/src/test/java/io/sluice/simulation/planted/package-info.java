/** Known mistakes, planted one at a time in the sources of the product; the histories must find each of them. */
package io.sluice.simulation.planted;
