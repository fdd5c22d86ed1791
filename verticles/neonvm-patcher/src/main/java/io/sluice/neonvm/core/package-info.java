/** How objects of the Kubernetes API are read and patched: pure, without a client. */
package io.sluice.neonvm.core;
