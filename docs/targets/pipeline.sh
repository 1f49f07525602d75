#!/bin/sh
# The commands of pipeline.yaml. The deployment is a mock here: its control plane makes the recording.
set -eu
recordings="$BASE_URL/_mock/state/recordings"
id="rec_$PLATFORM_MOCK_RUN_ID"
send() { curl --silent --show-error --fail --header 'Content-Type: application/json' "$@"; }

case $1 in
  set-up) send "$recordings" --data "{\"id\": \"$id\", \"summary\": \"Before the run.\"}" ;;
  recording) echo "$id" ;;
  token)
    send "$BASE_URL/v1/auth/login" --data "{\"email\": \"$2\", \"password\": \"$3\"}" |
      sed 's/.*"access_token": *"\([^"]*\)".*/\1/'
    ;;
  tear-down) send "$recordings/$id" --request DELETE ;;
esac
