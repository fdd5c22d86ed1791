/** The container image: its content, and that it runs with no more rights than it is given. */
package io.sluice.image;
