package io.sluice.gateway.core;

/**
 * A VM's pod on its node, with what the agent API needs of it.
 *
 * @param uid the pod's uid: its id in the ledger
 * @param node where it runs
 * @param pod the pod, as {@code namespace/name}
 * @param vm the VM, as {@code namespace/name}
 * @param slotBytes the VM's memory comes in whole slots of this many bytes
 * @param claimed whether the VM has a runner's fence
 */
public record AgentPod(String uid, String node, String pod, String vm, long slotBytes, boolean claimed) {}
