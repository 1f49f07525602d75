import { rename } from '../../platform';

export async function PUT(request: Request): Promise<Response> {
  return Response.json(await rename(await request.text()));
}
