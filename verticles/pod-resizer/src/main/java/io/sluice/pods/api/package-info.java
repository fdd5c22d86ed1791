/** The driver's requests to the API server. */
package io.sluice.pods.api;
