/** The container image: what is in it, and that it runs with no more rights than it is given. */
package io.sluice.image;
