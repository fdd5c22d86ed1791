/** What a kubelet decides about a resize, and what a container uses. */
package io.sluice.lab.kubelet.core;
