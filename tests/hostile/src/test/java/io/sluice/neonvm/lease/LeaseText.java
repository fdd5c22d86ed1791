package io.sluice.neonvm.lease;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** A Lease as the elector reads it: the client's mapper, then its lock, then the lock that records it. */
public final class LeaseText {
    private static final KubernetesSerialization MAPPER = new KubernetesSerialization();

    private LeaseText() {}

    /** Whether it could be read; otherwise the elector continues as after any failure of the client. */
    public static boolean isRead(JsonNode lease) {
        try {
            var lock = new RecordingLock(new Fixed(lease.toString()), new NoRecord(), System::nanoTime);
            return lock.get(null) != null;
        } catch (KubernetesClientException refused) {
            return false;
        }
    }

    private static final class Fixed extends LeaseLock {
        private final String text;

        Fixed(String text) {
            super("kube-system", "sluice", "self");
            this.text = text;
        }

        @Override
        public synchronized LeaderElectionRecord get(KubernetesClient client) {
            return toRecord(MAPPER.unmarshal(text, Lease.class));
        }
    }

    private static final class NoRecord implements RecordingLock.History {
        @Override
        public void saw(String holder, int term) {}

        @Override
        public void renewed(int term, long sentAtNanos) {}

        @Override
        public void failed(Throwable why) {}
    }
}
