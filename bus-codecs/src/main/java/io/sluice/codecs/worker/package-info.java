/** Codecs of the messages about instances that run as pods of Kubernetes. */
package io.sluice.codecs.worker;
