/** Wire codecs of the messages in {@code io.sluice.messages.cluster}: observations of the Kubernetes cluster. */
package io.sluice.codecs.cluster;
