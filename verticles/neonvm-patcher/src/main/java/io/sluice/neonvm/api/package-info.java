/** The connection to the API server: single requests, streamed answers, and the objects in them. */
package io.sluice.neonvm.api;
