/** Messages about instances that run as pods of Kubernetes. */
package io.sluice.messages.worker;
